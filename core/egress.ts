/** What the service asks of the way out to addresses that users give, in its own words. */

/** A file at an address that a user gave, as its server declares it; the type without parameters. */
export type Download = {
  /** From the Content-Disposition or the URL, not yet cleaned. Null when neither has a name. */
  filename: string | null
  mimeType: string | null
  sizeBytes: number | null
  /**
   * To be read soon, since the time limit is running. Throws a `DownloadFault` when it breaks off, takes too
   * long or grows too large.
   */
  body: AsyncIterable<Buffer>
}

/**
 * `refused`: the URL, or one that it redirected to, is not public; callers are told no more. `failed`: no file
 * arrived. `too_large`: the file exceeds the limit.
 */
export type DownloadFault = { fault: 'refused' | 'failed' | 'too_large'; message: string }

export type PostOutcome = {
  /** Null when no answer came. */
  statusCode: number | null
  /** A short word for why there is no complete answer, such as `timeout`; null when there is one. */
  error: string | null
  durationMs: number
}

/**
 * Requests to addresses that users give. Each is checked as written, as resolved and as connected; there are no
 * credentials and no cookies.
 */
export type Egress = {
  /** Whether the address may be reached at the moment. `http:` only if allowed. */
  mayReach(url: string, options: { allowHttp: boolean }): Promise<boolean>
  /** Follows at most three redirects, each checked. `timeoutMs` bounds everything, the body included. */
  download(
    url: string,
    bounds: { bytesMax: number; timeoutMs: number },
  ): Promise<{ ok: true; download: Download } | ({ ok: false } & DownloadFault)>
  /** Over https, or over http if allowed. Never throws and follows nothing. `timeoutMs` bounds everything. */
  post(
    url: string,
    request: { headers: Record<string, string>; body: string; timeoutMs: number },
  ): Promise<PostOutcome>
  close(): Promise<void>
}
