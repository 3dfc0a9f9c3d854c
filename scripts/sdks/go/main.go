// Walks through the service with the generated client; ends with 1 where it does not answer as typed.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"journey/api"
)

const (
	address   = "http://127.0.0.1:9/events"
	pagesMost = 20
	// The sandbox reviews a template after two seconds.
	lookEvery = 200 * time.Millisecond
	looksMost = 100
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

// Writes a template, and sends it with its variables once it is approved.
func checkTemplate(ctx context.Context, client *api.ClientWithResponses, phone string) {
	const name, language = "journey_go", "en_US"
	text, label, url := "Dear {{1}}, order {{2}} is ready.", "See it", "https://example.com/{{1}}"
	body := api.TemplateBodyComponent{Text: &text}
	must(json.Unmarshal([]byte(`{"body_text":[["Ana","1042"]]}`), &body.Example))
	var button api.TemplateButtonComponent
	must(button.FromTemplateUrlButton(api.TemplateUrlButton{
		Text: &label, Url: &url, Example: &[]string{"https://example.com/1042"}}))
	components := make([]api.TemplateComponent, 2)
	must(components[0].FromTemplateBodyComponent(body))
	must(components[1].FromTemplateButtonsComponent(api.TemplateButtonsComponent{
		Buttons: &[]api.TemplateButtonComponent{button}}))
	written, err := client.CreateTemplateWithResponse(ctx, nil, api.CreateTemplateRequest{
		Name: name, Language: language, Category: api.TemplateCategoryUTILITY, Components: components})
	must(err)
	check(written.JSON201 != nil, "template", written.Body)
	for look := 0; look < looksMost; look++ {
		time.Sleep(lookEvery)
		found, err := client.GetTemplateWithResponse(ctx, written.JSON201.Data.Template.Id, nil)
		must(err)
		check(found.JSON200 != nil, "review", found.Body)
		if found.JSON200.Data.Template.Status == api.TemplateStatusAPPROVED {
			break
		}
	}

	var variables api.TemplateVariables
	must(variables.FromNamedTemplateVariables(api.NamedTemplateVariables{"1": "Ana", "2": "1042"}))
	var message api.SendMessageRequest
	must(message.FromSendTemplateMessage(api.SendTemplateMessage{
		Phone: &phone, TemplateName: name, Language: language, Variables: &variables,
		Buttons: &[]api.TemplateButton{{Index: 0, Value: "1042"}}}))
	sent, err := client.SendMessageWithResponse(ctx, nil, message)
	must(err)
	check(sent.JSON200 != nil, "send a template", sent.Body)
	kept, err := client.GetMessageWithResponse(ctx, sent.JSON200.Data.Id, nil)
	must(err)
	check(kept.JSON200 != nil, "get", kept.Body)
	content := *kept.JSON200.Data.Message.Content
	check(content == "Dear Ana, order 1042 is ready.", content, kept.Body)
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
	isActive := false
	off, err := client.UpdateWebhookWithResponse(ctx, webhook, nil,
		api.UpdateWebhookRequest{IsActive: &isActive})
	must(err)
	check(off.JSON200 != nil && !off.JSON200.Data.Webhook.IsActive, "off", off.Body)
	gone, err := client.DeleteWebhookWithResponse(ctx, webhook, nil)
	must(err)
	check(gone.JSON200 != nil, "delete", gone.Body)

	checkTemplate(ctx, client, phone)

	tooMany := 1000
	refused, err := client.ListContactsWithResponse(ctx, &api.ListContactsParams{Limit: &tooMany})
	must(err)
	check(refused.JSON400 != nil, "refusal", refused.Body)
	failure := refused.JSON400.Error
	check(failure.Code == api.ErrorCodeBadRequest && failure.Details != nil, "code", refused.Body)
	check((*failure.Details)["errors"] != nil, "details", refused.Body)
}
