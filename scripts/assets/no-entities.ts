// Replaces `entities/decode` in the editor, which doesn't decode markup, to save 16 KB of tables. The tokenizer
// creates a decoder but never uses it.
export class EntityDecoder {}
export const DecodingMode = {};
export const htmlDecodeTree = null;
export const xmlDecodeTree = null;
