/** Displayed characters of a value. */
const SHOWN_CHARACTERS = 100;

/** Value for an error message: truncated, and without user and password of a URL. */
export function shownText(text: string): string {
  const plain = text.replace(/(?<=:\/\/)\S*@/g, '[removed]@');
  return plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS)}...` : plain;
}
