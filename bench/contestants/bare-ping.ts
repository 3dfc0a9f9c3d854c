import { contestant, listen } from './contestant.ts'

/** A plain node:http server that answers the same JSON as the service. */
contestant<{ data: unknown }>(({ data }) =>
  listen((_request, response) => {
    const body = JSON.stringify({ success: true, data })
    response
      .writeHead(200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
      })
      .end(body)
  }),
)
