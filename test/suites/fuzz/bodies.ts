import fc from 'fast-check';
import { generateValidObject, type JsonSchema, type ValuePool } from './generate-values.ts';
import { hostileText, hostileValue, prototypeNames } from './hostile-values.ts';
import { type Json, type JsonObject, writeJson } from './json.ts';

type BodyBytes = Uint8Array<ArrayBuffer>;
type ObjectChange = (body: JsonObject) => JsonObject;

const encode = (text: string): BodyBytes => new TextEncoder().encode(text) as BodyBytes;

/** Generates valid bodies, almost valid bodies, and bodies that should never reach a parser. */
export function generateHostileBody(schema: JsonSchema, pool: ValuePool): fc.Arbitrary<BodyBytes> {
  const valid = generateValidObject(schema, pool);
  const near = fc
    .tuple(
      valid,
      fc.array(generateChange(Object.keys(schema.properties ?? {})), { minLength: 1, maxLength: 2 }),
    )
    .map(([body, changes]) => changes.reduce((changed, apply) => apply(changed), body));
  return fc.oneof(
    { weight: 5, arbitrary: valid.map((body) => encode(writeJson(body))) },
    { weight: 6, arbitrary: near.map((body) => encode(writeJson(body))) },
    { weight: 2, arbitrary: valid.chain((body) => generateMisencoded(writeJson(body))) },
    { weight: 1, arbitrary: bodyWithoutObject },
  );
}

function generateChange(known: readonly string[]): fc.Arbitrary<ObjectChange> {
  const name = known.length > 0 ? fc.constantFrom(...known) : hostileText;
  const unknownName = fc.oneof(
    fc.constantFrom(...prototypeNames),
    hostileText,
    name.map((each) => each.toUpperCase()),
    name.map((each) => `${each}s`),
  );
  const generateWith = <T>(arbitrary: fc.Arbitrary<T>, apply: (value: T, body: JsonObject) => JsonObject) =>
    arbitrary.map(
      (value): ObjectChange =>
        (body) =>
          apply(value, body),
    );
  const generateMember = (names: fc.Arbitrary<string>) => fc.tuple(names, hostileValue);
  return fc.oneof(
    {
      weight: 2,
      arbitrary: generateWith(name, (gone, body) => ({
        members: body.members.filter(([each]) => each !== gone),
      })),
    },
    {
      weight: 6,
      arbitrary: generateWith(generateMember(name), ([changed, value], body) => ({
        members: replaceMember(body, changed, value),
      })),
    },
    {
      weight: 3,
      arbitrary: generateWith(generateMember(unknownName), (added, body) => ({
        members: [...body.members, added],
      })),
    },
    {
      weight: 1,
      arbitrary: generateWith(generateMember(name), (again, body) => ({ members: [...body.members, again] })),
    },
    {
      weight: 1,
      arbitrary: generateWith(fc.constantFrom(10, 1000, 20_000), (count, body) => ({
        members: [
          ...body.members,
          ...Array.from({ length: count }, (_, index) => [`k${index}`, index] as const),
        ],
      })),
    },
    {
      weight: 1,
      arbitrary: generateWith(fc.constant('body'), (wrapper, body) => ({
        members: [[wrapper, body as Json]],
      })),
    },
  );
}

function replaceMember({ members }: JsonObject, name: string, value: Json): JsonObject['members'] {
  return [...members.filter(([each]) => each !== name), [name, value]];
}

/** Encodes the JSON with bytes that aren't UTF-8, with missing bytes, or with extra bytes. */
function generateMisencoded(json: string): fc.Arbitrary<BodyBytes> {
  const encodeUtf16 = (isLittle: boolean) => {
    const bytes = new DataView(new ArrayBuffer(json.length * 2));
    for (let at = 0; at < json.length; at += 1) bytes.setUint16(at * 2, json.charCodeAt(at), isLittle);
    return new Uint8Array(bytes.buffer);
  };
  const invalid = fc.constantFrom(
    [0xff],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xe2, 0x82],
  );
  const spoilt = fc.tuple(invalid, fc.nat({ max: json.length })).map(([bytes, at]) => {
    const whole = encode(json);
    return joinBytes(whole.slice(0, at), Uint8Array.from(bytes), whole.slice(at));
  });
  return fc.oneof(
    fc.constantFrom(
      encode(`\ufeff${json}`),
      encode(`${json}\u0000`),
      encode(`${json}${json}`),
      encode(`/* x */${json}`),
      encode(`)]}',\n${json}`),
      joinBytes(Uint8Array.of(0xff, 0xfe), encodeUtf16(true)),
      encodeUtf16(false),
      Uint8Array.from(json, (character) => character.charCodeAt(0) & 0xff),
      encode(json.padEnd(1024 * 1024)),
      encode(json.padEnd(1024 * 1024 + 1)),
    ),
    spoilt,
    fc.nat({ max: json.length }).map((length) => encode(json.slice(0, length))),
  );
}

/** Content for uploads. Much of it is five bytes long, because the upload sessions of `fuzz-world.ts` expect five. */
export const hostileBytes: fc.Arbitrary<BodyBytes> = fc.oneof(
  { weight: 3, arbitrary: fc.uint8Array({ minLength: 5, maxLength: 5 }).map((bytes) => bytes as BodyBytes) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => bytes as BodyBytes) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n12345\r\n--x--\r\n',
        '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n12345\r\n--x\r\n\r\n1\r\n--x--',
        '--x\r\n\r\n12345',
        '--x--',
        '\r\n--x\r\n',
      )
      .map(encode),
  },
);

const bodyWithoutObject: fc.Arbitrary<BodyBytes> = fc.oneof(
  hostileValue.map((value) => encode(writeJson(value))),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => bytes as BodyBytes),
  fc
    .constantFrom('', ' ', 'a=1&b=2', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--')
    .map(encode),
);

function joinBytes(...parts: Uint8Array[]): BodyBytes {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
