import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.ArrayList;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ContactsApi;
import org.openapitools.client.api.ConversationsApi;
import org.openapitools.client.api.CredentialApi;
import org.openapitools.client.api.MessagesApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.CreateWebhookRequest;
import org.openapitools.client.model.Failure;
import org.openapitools.client.model.Message;
import org.openapitools.client.model.MessagePage;
import org.openapitools.client.model.SendMessageRequest;
import org.openapitools.client.model.SendTextMessage;
import org.openapitools.client.model.SentMessage;

/** Walks through the service with the generated client; fails where it does not answer as typed. */
public class Journey {
  private static final String ADDRESS = "http://127.0.0.1:9/events";
  private static final int PAGES_MOST = 20;

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(args[0]);
    client.setBearerToken(args[1]);
    check(new CredentialApi(client).ping(null, null).getData().getProjectId() != null, "ping");

    MessagesApi messages = new MessagesApi(client);
    List<String> wamids = new ArrayList<>();
    for (String content : List.of("One", "Two", "Three")) {
      SendTextMessage text = new SendTextMessage()
          .type(SendTextMessage.TypeEnum.TEXT).phone("+15550001234").content(content);
      wamids.add(messages.sendMessage(new SendMessageRequest(text), null, null, null).getData().getId());
    }
    Message found = messages.getMessage(wamids.get(0), null, null).getData().getMessage();
    check("One".equals(found.getContent()), "get");

    ConversationsApi conversations = new ConversationsApi(client);
    Set<String> seen = new HashSet<>();
    String cursor = null;
    for (int page = 0; page < PAGES_MOST; page++) {
      MessagePage listed = conversations
          .listConversationMessages(found.getConversationId(), null, null, 2, cursor).getData();
      listed.getMessages().forEach(message -> seen.add(message.getWamid()));
      cursor = listed.getNextCursor();
      if (cursor == null) break;
    }
    check(cursor == null && seen.containsAll(wamids), "pages");

    WebhooksApi webhooks = new WebhooksApi(client);
    CreateWebhookRequest wanted = new CreateWebhookRequest().url(ADDRESS).events(List.of("order.paid"));
    String id = webhooks.createWebhook(wanted, null, null).getData().getWebhook().getId();
    check(webhooks.listWebhooks(null, null).getData().getWebhooks().stream()
        .anyMatch(webhook -> webhook.getId().equals(id)), "list");
    check(webhooks.deleteWebhook(id, null, null).getData().getId().equals(id), "delete");

    try {
      new ContactsApi(client).listContacts(null, null, 1000, null, null, null);
      check(false, "refusal");
    } catch (ApiException refused) {
      Failure failure = Failure.fromJson(refused.getResponseBody());
      check("bad_request".equals(failure.getError().getCode()), "code");
      check(failure.getError().getDetails().containsKey("errors"), "details");
    }

    // What the next release of the same version may answer.
    String more = "{\"id\":\"wamid.1\",\"status\":\"sent\",\"more\":1}";
    check("wamid.1".equals(SentMessage.fromJson(more).getId()), "a member more");
    String unknown = "{\"success\":false,\"request_id\":\"r\","
        + "\"error\":{\"code\":\"new_code\",\"message\":\"New.\"}}";
    check("New.".equals(Failure.fromJson(unknown).getError().getMessage()), "a code more");
    // Its HTTP library keeps threads that would hold the process for a minute.
    System.exit(0);
  }

  private static void check(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }
}
