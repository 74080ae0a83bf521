/** Prefix of an authorization code. `createToken` adds the cell and a checksum, so a typing error asks no database. */
export const CODE_PREFIX = 'ew_oac_';
