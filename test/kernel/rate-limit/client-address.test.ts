import { expect, it } from 'vitest';
import { toAddressBlock } from '../../../src/kernel/rate-limit/client-address.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['unknown', 'unknown'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::', 'fe80:0:0:0::/64'],
])('requests from %s are counted as requests from %s', (ip, block) => {
  expect(toAddressBlock(ip)).toBe(block);
});
