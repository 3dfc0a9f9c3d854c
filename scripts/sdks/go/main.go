// Walks through the service with the generated client; ends with 1 where it does not answer as typed.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"journey/api"
)

const (
	address   = "http://127.0.0.1:9/events"
	pagesMost = 20
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func check(holds bool, what string, body []byte) {
	if !holds {
		panic(fmt.Sprintf("%s: %s", what, body))
	}
}

func main() {
	ctx, url, key := context.Background(), os.Args[1], os.Args[2]
	client, err := api.NewClientWithResponses(url, api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+key)
			return nil
		}))
	must(err)

	ping, err := client.PingWithResponse(ctx, nil)
	must(err)
	check(ping.JSON200 != nil, "ping", ping.Body)

	var wamids []string
	phone := "+15550001234"
	for _, content := range []string{"One", "Two", "Three"} {
		var body api.SendMessageRequest
		must(body.FromSendTextMessage(api.SendTextMessage{Content: content, Phone: &phone}))
		sent, err := client.SendMessageWithResponse(ctx, nil, body)
		must(err)
		check(sent.JSON200 != nil, "send", sent.Body)
		wamids = append(wamids, sent.JSON200.Data.Id)
	}

	found, err := client.GetMessageWithResponse(ctx, wamids[0], nil)
	must(err)
	check(found.JSON200 != nil && *found.JSON200.Data.Message.Content == "One", "get", found.Body)

	seen, limit := map[string]bool{}, 2
	params := api.ListConversationMessagesParams{Limit: &limit}
	for page := 0; page < pagesMost; page++ {
		id := found.JSON200.Data.Message.ConversationId
		listed, err := client.ListConversationMessagesWithResponse(ctx, id, &params)
		must(err)
		check(listed.JSON200 != nil, "page", listed.Body)
		for _, message := range listed.JSON200.Data.Messages {
			seen[message.Wamid] = true
		}
		params.Cursor = listed.JSON200.Data.NextCursor
		if params.Cursor == nil {
			break
		}
	}
	check(params.Cursor == nil, "the list has no end", nil)
	for _, wamid := range wamids {
		check(seen[wamid], "on no page", []byte(wamid))
	}

	made, err := client.CreateWebhookWithResponse(ctx, nil,
		api.CreateWebhookRequest{Url: address, Events: []string{"order.paid"}})
	must(err)
	check(made.JSON201 != nil, "webhook", made.Body)
	webhook := made.JSON201.Data.Webhook.Id
	listed, err := client.ListWebhooksWithResponse(ctx, nil)
	must(err)
	check(listed.JSON200 != nil && listed.JSON200.Data.Webhooks[0].Id == webhook, "list", listed.Body)
	gone, err := client.DeleteWebhookWithResponse(ctx, webhook, nil)
	must(err)
	check(gone.JSON200 != nil, "delete", gone.Body)

	tooMany := 1000
	refused, err := client.ListContactsWithResponse(ctx, &api.ListContactsParams{Limit: &tooMany})
	must(err)
	check(refused.JSON400 != nil, "refusal", refused.Body)
	failure := refused.JSON400.Error
	check(failure.Code == api.ErrorCodeBadRequest && failure.Details != nil, "code", refused.Body)
	check((*failure.Details)["errors"] != nil, "details", refused.Body)
}
