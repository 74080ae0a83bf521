import type { Schema } from '../openapi/document.ts';

interface TypeOptions {
  /** True for arguments, which may be `undefined` and readonly, unlike results. */
  readonly isInput: boolean;
  readonly onReference: (name: string) => void;
}

/** New names for components that would hide a global that the declarations use. */
const renamed: Readonly<Record<string, string>> = { Error: 'ErrorBody' };

export function toTypeName(component: string): string {
  return renamed[component] ?? component;
}

export function toType(schema: Schema, options: TypeOptions, indent = ''): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    options.onReference(name);
    return toTypeName(name);
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts) return joinTypes(parts.map((part) => toType(part, options, indent)));
  if (Array.isArray(schema.type)) {
    return joinTypes(schema.type.map((type) => toType({ ...schema, type }, options, indent)));
  }
  return toSingleType(schema, options, indent);
}

function joinTypes(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function toSingleType(schema: Schema, options: TypeOptions, indent: string): string {
  switch (schema.type) {
    case undefined:
      return 'unknown';
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return schema.format === 'binary' ? 'Blob | Uint8Array | ArrayBuffer' : 'string';
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array': {
      const item = toType(schema.items ?? {}, options, indent);
      const array = `${item.includes(' | ') && !item.startsWith('{') ? `(${item})` : item}[]`;
      return options.isInput ? `readonly ${array}` : array;
    }
    case 'object': {
      if (schema.properties) return `{\n${toMembers(schema, options, `${indent}  `)}${indent}}`;
      const { additionalProperties: value } = schema;
      const readonly = options.isInput ? 'readonly ' : '';
      return `{ ${readonly}[name: string]: ${toType(typeof value === 'object' ? value : {}, options, indent)} }`;
    }
    default:
      throw new Error(`The type ${JSON.stringify(schema.type)} has no counterpart in TypeScript`);
  }
}

export function toMembers(schema: Schema, options: TypeOptions, indent = '  '): string {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const type = toType(member, options, indent);
    const isUndefined = options.isInput && !isRequired && type !== 'unknown';
    return `${toComment(member.description, indent)}${indent}${options.isInput ? 'readonly ' : ''}${key}${isRequired ? '' : '?'}: ${type}${isUndefined ? ' | undefined' : ''};\n`;
  });
  return members.join('');
}

export function toComment(text: string | undefined, indent = ''): string {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '';
}
