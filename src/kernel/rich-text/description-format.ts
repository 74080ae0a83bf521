import * as z from 'zod';
import { invalidRequestError } from '../errors/errors.ts';
import type { JsonStreamer } from '../operation/operation-response.ts';
import { cacheLastResult } from '../text/cache-last.ts';
import { formatNumber } from '../text/number-format.ts';
import { convertHtmlToMarkdown, convertMarkdownToHtml } from './markdown.ts';

export const descriptionFormatInput = z.enum(['html', 'markdown']).default('html').meta({
  description: 'The format of descriptions in the request and response.',
  example: 'markdown',
});
export type DescriptionFormat = z.output<typeof descriptionFormatInput>;

/**
 * A few characters of Markdown can become many characters of HTML. A quotation mark becomes `&quot;`, so a paragraph of
 * 100,000 quotation marks becomes 600,007 characters.
 */
export const HTML_CHARACTERS_MAX = 610_000;
const convertMarkdownCached = cacheLastResult(convertMarkdownToHtml);

export function parseDescription<T extends object>(input: T, format: DescriptionFormat): T {
  if (format === 'html' || !('description' in input) || typeof input.description !== 'string') return input;
  const description = convertMarkdownCached(input.description);
  if (description.length > HTML_CHARACTERS_MAX) {
    throw invalidRequestError(
      ({ field }) =>
        `${field('description')} must have at most ${formatNumber(HTML_CHARACTERS_MAX)} characters as HTML; got ${formatNumber(description.length)}`,
    );
  }
  return { ...input, description };
}

export function getDescriptionFormat(input: unknown): DescriptionFormat {
  const { descriptionFormat = 'html' } = input as { descriptionFormat?: DescriptionFormat };
  return descriptionFormat;
}

interface ItemWithDescription {
  description?: unknown;
  task?: ItemWithDescription | undefined;
}

export function convertDescriptions(output: unknown, format: DescriptionFormat): unknown {
  if (format === 'html' || output === null || typeof output !== 'object') return output;
  if ('data' in output && Array.isArray(output.data))
    return { ...output, data: output.data.map(convertDescription) };
  return convertDescription(output);
}

function convertDescription<T extends ItemWithDescription>(item: T): T {
  if (item.task) return { ...item, task: convertDescription(item.task) };
  return typeof item.description === 'string'
    ? { ...item, description: convertHtmlToMarkdown(item.description) }
    : item;
}

export function convertStreamedDescriptions(
  inParts: JsonStreamer | undefined,
  format: DescriptionFormat,
): JsonStreamer | undefined {
  if (!inParts || format === 'html') return inParts;
  return (output) => inParts(output, convertHtmlToMarkdown);
}
