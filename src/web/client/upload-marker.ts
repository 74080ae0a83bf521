/** Marks the place of an image in a comment until it has been uploaded. */
export function buildUploadMarker(name: string, text: string): string {
  const shown = name.replace(/[[\]]/g, '');
  for (let number = 1; ; number += 1) {
    const marker = `![Uploading ${shown}${number > 1 ? ` ${number}` : ''}…]()`;
    if (!text.includes(marker)) return marker;
  }
}

/** An upload doesn't continue after a reload, so drafts don't contain its marker. */
export function removeUploadMarkers(text: string): string {
  return text.replace(/!\[Uploading [^[\]]*…\]\(\)/g, '');
}
