/** Reads a dropped file as text. Files of gzip are unpacked by the browser itself. */
export async function readText(file: Blob): Promise<string> {
  const stream = await unpacked(file)
  return new Response(stream).text()
}

/** The beginning of a file, for a look at its columns; ends with a whole line. */
export async function readBeginning(file: Blob, characters = 100_000): Promise<string> {
  const reader = (await unpacked(file)).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    while (text.length < characters) {
      const { value, done } = await reader.read()
      if (done) return text
      text += value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
  return text.slice(0, text.lastIndexOf('\n') + 1)
}

/** The bytes of the file; gzip is known by its first two bytes, whatever the name says. */
async function unpacked(file: Blob): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const stream = file.stream()
  return first === 0x1f && second === 0x8b ? stream.pipeThrough(new DecompressionStream('gzip')) : stream
}
