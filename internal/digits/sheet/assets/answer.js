// The answer of a network in Go to a drawing.

/** explained is a reason as the page wants it. */
export function explained(reason) {
  return { ...reason, heat: Uint8Array.from(atob(reason.heat), (c) => c.charCodeAt(0)) };
}

/** answered is the answer as the page wants it. */
export function answered(answer) {
  const pixels = Uint8Array.from(atob(answer.pixels), (c) => c.charCodeAt(0));
  const beside = answer.beside && {
    probabilities: answer.beside.probabilities,
    layers: answer.beside.layers.map((layer) => ({ ...layer, values: Uint8Array.from(atob(layer.values), (c) => c.charCodeAt(0)) })),
  };
  return { ...answer, beside, pixels: Float32Array.from(pixels, (byte) => byte / 255) };
}
