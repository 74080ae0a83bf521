/** An authorization code: `createToken` of this, so that it says its cell and a typing error asks no database. */
export const CODE_PREFIX = 'ew_oac_';
