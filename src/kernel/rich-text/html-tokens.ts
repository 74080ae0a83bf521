import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

const ignoreToken = () => undefined;

const defaultCallbacks: TokenizerCallbacks = {
  onattribdata: ignoreToken,
  onattribentity: ignoreToken,
  onattribend: ignoreToken,
  onattribname: ignoreToken,
  oncdata: ignoreToken,
  onclosetag: ignoreToken,
  oncomment: ignoreToken,
  ondeclaration: ignoreToken,
  onend: ignoreToken,
  onopentagend: ignoreToken,
  onopentagname: ignoreToken,
  onprocessinginstruction: ignoreToken,
  onselfclosingtag: ignoreToken,
  ontext: ignoreToken,
  ontextentity: ignoreToken,
};

/** Splits HTML into tokens as a browser does, and passes each token's position to the handlers. */
export function readTokens(
  html: string,
  { decodeEntities }: { decodeEntities: boolean },
  handlers: Partial<TokenizerCallbacks>,
): void {
  const tokenizer = new Tokenizer(
    { decodeEntities },
    {
      ...defaultCallbacks,
      ...handlers,
      ontext(start, end) {
        if (!isUnfinishedTag(html, start)) handlers.ontext?.(start, end);
      },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}

/** If the input ends inside a tag, the tokenizer may report the rest of the tag as text. */
function isUnfinishedTag(html: string, start: number): boolean {
  return start < 0 || (html[start - 1] === '<' && /[a-z]/i.test(html[start] ?? ''));
}
