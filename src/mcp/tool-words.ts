import type { Vocabulary } from '../kernel/text/wording.ts';
import type { AnyTool } from '../kernel/tools/tool.ts';

/**
 * Builds the words for messages to a model. The messages name tools instead of operations, and use the called tool's
 * field names.
 */
export function buildToolWords(tools: readonly AnyTool[], called: AnyTool): Vocabulary {
  const field = (name: string) => called.fields?.[name] ?? name;
  return {
    call(operation) {
      const tool = tools.find(({ covers = {} }) => operation in covers);
      if (!tool) return `${operation} (REST API only)`;
      const how = tool.covers?.[operation];
      return how ? `${tool.name} (${how})` : tool.name;
    },
    field,
    takes: (name) => field(name) in called.input.shape,
    takesOne: (name) => called.oneOfMany?.includes(name) ?? false,
  };
}
