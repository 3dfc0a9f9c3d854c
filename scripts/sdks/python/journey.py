"""Walks through the service with the generated client; fails where it does not answer as typed."""

import sys
import time

from client import AuthenticatedClient
from client.api.contacts import list_contacts
from client.api.conversations import list_conversation_messages
from client.api.credential import ping
from client.api.messages import get_message, send_message
from client.api.templates import create_template, get_template
from client.api.webhooks import create_webhook, delete_webhook, list_webhooks, update_webhook
from client.models import (
    CreateTemplateRequest,
    CreateWebhookRequest,
    CreateWebhookResponse,
    DeleteWebhookResponse,
    Failure,
    ListConversationMessagesResponse,
    ListWebhooksResponse,
    MessageResponse,
    NamedTemplateVariables,
    PingResponse,
    SendMessageResponse,
    SendTemplateMessage,
    SendTemplateMessageType,
    SendTextMessage,
    SendTextMessageType,
    SentMessage,
    TemplateBodyComponent,
    TemplateBodyComponentExample,
    TemplateButton,
    TemplateButtonsComponent,
    TemplateCategory,
    TemplateResponse,
    TemplateUrlButton,
    UpdateWebhookRequest,
    WebhookResponse,
)
from client.types import UNSET, Unset

ADDRESS = "http://127.0.0.1:9/events"
PHONE = "+15550001234"
PAGES_MOST = 20
# The sandbox reviews a template after two seconds.
LOOK_SECONDS = 0.2
LOOKS_MOST = 100

_, url, key = sys.argv
client = AuthenticatedClient(base_url=url, token=key)

pong = ping.sync(client=client)
assert isinstance(pong, PingResponse) and pong.data.ok, pong

wamids = []
for content in ["One", "Two", "Three"]:
    body = SendTextMessage(type_=SendTextMessageType.TEXT, phone=PHONE, content=content)
    sent = send_message.sync(client=client, body=body)
    assert isinstance(sent, SendMessageResponse), sent
    wamids.append(sent.data.id)

found = get_message.sync(wamids[0], client=client)
assert isinstance(found, MessageResponse) and found.data.message.content == "One", found
conversation = found.data.message.conversation_id

seen: set[str] = set()
cursor: str | None = None
for _page in range(PAGES_MOST):
    listed = list_conversation_messages.sync(
        conversation, client=client, limit=2, cursor=cursor or UNSET
    )
    assert isinstance(listed, ListConversationMessagesResponse), listed
    seen.update(message.wamid for message in listed.data.messages)
    cursor = listed.data.next_cursor
    if cursor is None:
        break
assert cursor is None and seen.issuperset(wamids), seen

made = create_webhook.sync(
    client=client, body=CreateWebhookRequest(url=ADDRESS, events=["order.paid"])
)
assert isinstance(made, CreateWebhookResponse), made
webhooks = list_webhooks.sync(client=client)
assert isinstance(webhooks, ListWebhooksResponse), webhooks
assert made.data.webhook.id in [webhook.id for webhook in webhooks.data.webhooks]
change = UpdateWebhookRequest(is_active=False)
off = update_webhook.sync(made.data.webhook.id, client=client, body=change)
assert isinstance(off, WebhookResponse) and not off.data.webhook.is_active, off
gone = delete_webhook.sync(made.data.webhook.id, client=client)
assert isinstance(gone, DeleteWebhookResponse) and gone.data.deleted, gone

body_component = TemplateBodyComponent(
    type_="BODY",
    text="Dear {{1}}, order {{2}} is ready.",
    example=TemplateBodyComponentExample(body_text=[["Ana", "1042"]]),
)
button = TemplateUrlButton(
    type_="URL",
    text="See it",
    url="https://example.com/{{1}}",
    example=["https://example.com/1042"],
)
written = create_template.sync(
    client=client,
    body=CreateTemplateRequest(
        name="journey_python",
        language="en_US",
        category=TemplateCategory.UTILITY,
        components=[body_component, TemplateButtonsComponent(type_="BUTTONS", buttons=[button])],
    ),
)
assert isinstance(written, TemplateResponse), written
for _look in range(LOOKS_MOST):
    time.sleep(LOOK_SECONDS)
    reviewed = get_template.sync(written.data.template.id, client=client)
    assert isinstance(reviewed, TemplateResponse), reviewed
    if reviewed.data.template.status == "APPROVED":
        break
variables = NamedTemplateVariables()
variables["1"], variables["2"] = "Ana", "1042"
filled = send_message.sync(
    client=client,
    body=SendTemplateMessage(
        type_=SendTemplateMessageType.TEMPLATE,
        phone=PHONE,
        template_name="journey_python",
        language="en_US",
        variables=variables,
        buttons=[TemplateButton(index=0, value="1042")],
    ),
)
assert isinstance(filled, SendMessageResponse), filled
kept = get_message.sync(filled.data.id, client=client)
assert isinstance(kept, MessageResponse), kept
assert kept.data.message.content == "Dear Ana, order 1042 is ready.", kept

refused = list_contacts.sync(client=client, limit=1000)
assert isinstance(refused, Failure), refused
assert refused.error.code == "bad_request", refused
assert not isinstance(refused.error.details, Unset), refused
assert refused.error.details["errors"][0]["path"] == "limit", refused

# What the next release of the same version may answer.
more = SentMessage.from_dict({"id": "wamid.1", "status": "sent", "more": 1})
assert more.id == "wamid.1", more
error = {"code": "new_code", "message": "New."}
unknown = Failure.from_dict({"success": False, "request_id": "r", "error": error})
assert unknown.error.message == "New.", unknown
