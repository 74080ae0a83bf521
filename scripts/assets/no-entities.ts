// Replaces `entities/decode`, whose tables take 16 KB. The editor doesn't decode markup: its tokenizer creates a
// decoder but never uses it.
export class EntityDecoder {}
export const DecodingMode = {};
export const htmlDecodeTree = null;
export const xmlDecodeTree = null;
