/** What Node has of WebAssembly and its types leave out: here alone it is called by name. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer
  }
  const Memory: new (size: { initial: number; maximum: number }) => Memory
  const Module: new (bytes: Uint8Array) => Module
}
