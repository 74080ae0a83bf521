// Replaces `entities/decode` in the editor, which doesn't decode markup, to save the 16 KB of its tables. The tokenizer
// creates a decoder but never uses it.
export class EntityDecoder {}
export const DecodingMode = {};
export const htmlDecodeTree = null;
export const xmlDecodeTree = null;
