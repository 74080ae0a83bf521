/** `createToken` adds the cell and a checksum, so a mistyped code costs no query. */
export const CODE_PREFIX = 'ew_oac_';

/** The longest time between redeeming a code and writing its token. */
export const EXCHANGE_MS_MAX = 5 * 60_000;
