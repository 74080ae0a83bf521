/** Prefix of an authorization code. `createToken` adds the cell and a checksum, so a typing error asks no database. */
export const CODE_PREFIX = 'ew_oac_';

/** No exchange takes longer from its code to its token. */
export const EXCHANGE_MS_MAX = 5 * 60_000;
