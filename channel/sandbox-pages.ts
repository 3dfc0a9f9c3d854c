/** Items without a `limit` in the query. */
const pageItems = 25
const pageItemsMax = 100

/** A page of a list in the channel's form: the items behind the one that the query names, and where to go on. */
export function pageOf<Item extends { id: string }>(
  items: readonly Item[],
  query: URLSearchParams,
  { list, show }: { list: string; show: (item: Item) => object },
) {
  const limit = Math.min(Math.max(Number(query.get('limit')) || pageItems, 1), pageItemsMax)
  const after = query.get('after')
  const from = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1
  const page = items.slice(from, from + limit)
  const [first, last] = [page[0]?.id, page.at(-1)?.id]
  const isMore = from + limit < items.length
  return {
    data: page.map(show),
    paging: {
      cursors: { before: first, after: last },
      ...(isMore ? { next: `https://sandbox.invalid/${list}?after=${last}` } : {}),
    },
  }
}
