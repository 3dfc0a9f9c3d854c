/** A promise that is kept from outside. */
export function gate<T>() {
  let open: (value: T) => void = () => {}
  const opened = new Promise<T>((resolve) => (open = resolve))
  return { opened, open: (value: T) => open(value) }
}
