/** `createToken` builds the rest of a code, with a checksum that detects a mistyped code without a query. */
export const CODE_PREFIX = 'ew_oac_';

/** The maximum time between redeeming a code and storing its token. */
export const EXCHANGE_MS_MAX = 5 * 60_000;
