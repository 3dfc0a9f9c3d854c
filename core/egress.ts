/** What the service asks of the way out to addresses that users give, in its own words. */

/** A file at an address that a user gave, as its server declares it; its type without parameters. */
export type Download = {
  /** From the Content-Disposition or the address; not yet cleaned. Null when neither names one. */
  filename: string | null
  mimeType: string | null
  sizeBytes: number | null
  /** To be read soon: the download's time runs. Throws a `DownloadFault` when it breaks off, takes too long or grows too large. */
  body: AsyncIterable<Buffer>
}

/**
 * `refused`: the address, or one that it led to, is not public; nobody is told more. `failed`: no
 * file came. `too_large`: more came than was asked for.
 */
export type DownloadFault = { fault: 'refused' | 'failed' | 'too_large'; message: string }

export type PostOutcome = {
  /** Null when no answer came. */
  statusCode: number | null
  /** A short word for why no whole answer came, such as `timeout`; null when one did. */
  error: string | null
  durationMs: number
}

/**
 * Requests to addresses that users give. Every one is checked as it is written, as it resolves and as
 * it is connected to; no proxy, no credentials, no cookies.
 */
export type Egress = {
  /** Whether the address may be reached as things stand. `http:` only where it is allowed. */
  mayReach(url: string, options: { allowHttp: boolean }): Promise<boolean>
  /** Follows three redirects at most, each checked. `timeoutMs` bounds all of it, body included. */
  download(
    url: string,
    bounds: { bytesMax: number; timeoutMs: number },
  ): Promise<{ ok: true; download: Download } | ({ ok: false } & DownloadFault)>
  /** Over https, or as is allowed. Never throws and follows nothing. `timeoutMs` bounds all of it. */
  post(
    url: string,
    request: { headers: Record<string, string>; body: string; timeoutMs: number },
  ): Promise<PostOutcome>
  close(): Promise<void>
}
