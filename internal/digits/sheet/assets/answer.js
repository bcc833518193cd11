// The answer of a network in Go to a drawing.

/** answered is the answer as the page wants it. */
export function answered(answer) {
  const pixels = Uint8Array.from(atob(answer.pixels), (c) => c.charCodeAt(0));
  return { ...answer, pixels: Float32Array.from(pixels, (byte) => byte / 255) };
}
