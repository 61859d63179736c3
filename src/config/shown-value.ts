/** Characters of a value that are shown. */
const SHOWN_CHARACTERS = 100;

/** A value as an error shows it: its beginning, and no user or password of a URL that it holds. */
export function shownText(text: string): string {
  const plain = text.replace(/(?<=:\/\/)\S*@/g, '[removed]@');
  return plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS)}...` : plain;
}
