import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.ArrayList;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ContactsApi;
import org.openapitools.client.api.ConversationsApi;
import org.openapitools.client.api.CredentialApi;
import org.openapitools.client.api.MessagesApi;
import org.openapitools.client.api.TemplatesApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.CreateTemplateRequest;
import org.openapitools.client.model.CreateWebhookRequest;
import org.openapitools.client.model.Failure;
import org.openapitools.client.model.Message;
import org.openapitools.client.model.MessagePage;
import org.openapitools.client.model.SendMessageRequest;
import org.openapitools.client.model.SendTemplateMessage;
import org.openapitools.client.model.SendTextMessage;
import org.openapitools.client.model.SentMessage;
import org.openapitools.client.model.TemplateBodyComponent;
import org.openapitools.client.model.TemplateBodyComponentExample;
import org.openapitools.client.model.TemplateButton;
import org.openapitools.client.model.TemplateButtonComponent;
import org.openapitools.client.model.TemplateButtonsComponent;
import org.openapitools.client.model.TemplateCategory;
import org.openapitools.client.model.TemplateComponent;
import org.openapitools.client.model.TemplateStatus;
import org.openapitools.client.model.TemplateUrlButton;
import org.openapitools.client.model.TemplateVariables;
import org.openapitools.client.model.UpdateWebhookRequest;

/** Walks through the service with the generated client; fails where it does not answer as typed. */
public class Journey {
  private static final String ADDRESS = "http://127.0.0.1:9/events";
  private static final String PHONE = "+15550001234";
  private static final int PAGES_MOST = 20;
  /** The sandbox reviews a template after two seconds. */
  private static final int LOOK_MS = 200;
  private static final int LOOKS_MOST = 100;

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(args[0]);
    client.setBearerToken(args[1]);
    check(new CredentialApi(client).ping(null, null).getData().getProjectId() != null, "ping");

    MessagesApi messages = new MessagesApi(client);
    List<String> wamids = new ArrayList<>();
    for (String content : List.of("One", "Two", "Three")) {
      SendTextMessage text = new SendTextMessage()
          .type(SendTextMessage.TypeEnum.TEXT).phone(PHONE).content(content);
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
    UpdateWebhookRequest change = new UpdateWebhookRequest().isActive(false);
    check(!webhooks.updateWebhook(id, change, null, null).getData().getWebhook().getIsActive(), "off");
    check(webhooks.deleteWebhook(id, null, null).getData().getId().equals(id), "delete");

    checkTemplate(new TemplatesApi(client), messages);

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

  /** Writes a template, and sends it with its variables once it is approved. */
  private static void checkTemplate(TemplatesApi templates, MessagesApi messages) throws Exception {
    String name = "journey_java";
    String language = "en_US";
    TemplateBodyComponent body = new TemplateBodyComponent()
        .type(TemplateBodyComponent.TypeEnum.BODY).text("Dear {{1}}, order {{2}} is ready.")
        .example(new TemplateBodyComponentExample().bodyText(List.of(List.of("Ana", "1042"))));
    TemplateUrlButton button = new TemplateUrlButton()
        .type(TemplateUrlButton.TypeEnum.URL).text("See it").url("https://example.com/{{1}}")
        .example(List.of("https://example.com/1042"));
    TemplateButtonsComponent buttons = new TemplateButtonsComponent()
        .type(TemplateButtonsComponent.TypeEnum.BUTTONS)
        .buttons(List.of(new TemplateButtonComponent(button)));
    CreateTemplateRequest wanted = new CreateTemplateRequest()
        .name(name).language(language).category(TemplateCategory.UTILITY)
        .components(List.of(new TemplateComponent(body), new TemplateComponent(buttons)));
    String id = templates.createTemplate(wanted, null, null).getData().getTemplate().getId();
    for (int look = 0; look < LOOKS_MOST; look++) {
      Thread.sleep(LOOK_MS);
      TemplateStatus status = templates.getTemplate(id, null, null).getData().getTemplate().getStatus();
      if (status == TemplateStatus.APPROVED) break;
    }
    SendTemplateMessage message = new SendTemplateMessage()
        .type(SendTemplateMessage.TypeEnum.TEMPLATE).phone(PHONE).templateName(name).language(language)
        .variables(new TemplateVariables(Map.of("1", "Ana", "2", "1042")))
        .buttons(List.of(new TemplateButton().index(0).value("1042")));
    String sent = messages.sendMessage(new SendMessageRequest(message), null, null, null).getData().getId();
    String content = messages.getMessage(sent, null, null).getData().getMessage().getContent();
    check("Dear Ana, order 1042 is ready.".equals(content), content);
  }

  private static void check(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }
}
