// Takes the place of `entities/decode` in the editor, which reads markup without decoding it: the tables of names weigh 16 KB.
// The tokenizer builds a decoder in any case; using one throws, since it has no methods.
export class EntityDecoder {}
export const DecodingMode = {};
export const htmlDecodeTree = null;
export const xmlDecodeTree = null;
