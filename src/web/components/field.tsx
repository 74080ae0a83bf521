import { FIRST_YEAR } from '../page-model/field-problems.ts';
import { toOneLine } from '../page-model/one-line.ts';
import { useRejectedForm } from './context.ts';

export interface FieldProps {
  name: string;
  id?: string;
  isLabelHidden?: boolean;
  placeholder?: string;
  min?: number | string;
  max?: number | string;
  step?: number | string;
  pattern?: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'date' | 'datetime-local' | 'time' | 'number' | 'search';
  value?: string | undefined;
  autocomplete?: string;
  list?: string;
  hint?: string;
  minlength?: number;
  maxlength?: number;
  isFocused?: boolean;
  isOptional?: boolean;
  problem?: string | undefined;
  /** The address of a script to load when the field gets focus. */
  module?: string;
}

/** Excludes half-typed years, such as 0020. */
export const EARLIEST_DATE = `${FIRST_YEAR}-01-01`;
const earliestValues: Readonly<Record<string, string>> = {
  date: EARLIEST_DATE,
  'datetime-local': `${EARLIEST_DATE}T00:00`,
};

export function Field({
  name,
  label,
  type = 'text',
  value,
  hint,
  isFocused = false,
  isOptional = false,
  problem,
  id = name,
  isLabelHidden = false,
  module,
  ...rest
}: FieldProps) {
  const rejected = useRejectedForm();
  const fieldProblem = problem ?? rejected?.fields[name];
  const rejectedOrCurrent = type === 'password' ? undefined : (rejected?.values.get(name) ?? value);
  return (
    <div class="field">
      <Label of={id} isHidden={isLabelHidden} text={label} />
      <input
        id={id}
        name={name}
        type={type}
        value={rejectedOrCurrent && toOneLine(rejectedOrCurrent)}
        min={earliestValues[type]}
        required={!isOptional}
        data-module={module}
        autofocus={
          fieldProblem !== undefined || (isFocused && Object.keys(rejected?.fields ?? {}).length === 0)
        }
        {...buildAriaProps(id, { hint, problem: fieldProblem })}
        {...rest}
      />
      <FieldMessages id={id} hint={hint} problem={fieldProblem} />
    </div>
  );
}

export interface TextAreaProps {
  name: string;
  id?: string;
  isLabelHidden?: boolean;
  label: string;
  value?: string | undefined;
  rows?: number;
  hint?: string;
  maxlength?: number;
  isOptional?: boolean;
  placeholder?: string;
  mentions?: string;
  /** True if the text can wrap, but contains no line breaks. Enter then saves it. */
  hasOneLine?: boolean;
  /** The URL of a module, such as the rich-text editor. src/web/client/field-modules.ts loads it on first focus. */
  module?: string;
}

export function TextArea({
  name,
  id = name,
  label,
  isLabelHidden = false,
  value,
  rows = 3,
  hint,
  isOptional = false,
  mentions,
  module,
  hasOneLine,
  ...rest
}: TextAreaProps) {
  const rejected = useRejectedForm();
  const problem = rejected?.fields[name];
  const text = rejected?.values.get(name) ?? value ?? '';
  return (
    <div class="field">
      <Label of={id} isHidden={isLabelHidden} text={label} />
      <textarea
        id={id}
        name={name}
        rows={rows}
        required={!isOptional}
        autofocus={problem !== undefined}
        data-mentions={mentions}
        data-module={module}
        data-line={hasOneLine}
        aria-autocomplete={mentions === undefined ? undefined : 'list'}
        {...buildAriaProps(id, { hint, problem })}
        {...rest}
      >
        {hasOneLine ? toOneLine(text) : protectFirstLineBreak(text)}
      </textarea>
      <FieldMessages id={id} hint={hint} problem={problem} />
    </div>
  );
}

/** Browsers drop the first line break in a text area, so this adds another. */
function protectFirstLineBreak(text: string): string {
  return /^\r?\n/.test(text) ? `\n${text}` : text;
}

interface SelectProps {
  name: string;
  id?: string;
  isLabelHidden?: boolean;
  label: string;
  value?: string | undefined;
  hint?: string;
  options: readonly (readonly [value: string, label: string])[];
}

export function Select({ name, id = name, label, isLabelHidden = false, value, hint, options }: SelectProps) {
  const rejected = useRejectedForm();
  const problem = rejected?.fields[name];
  const selectedValue = rejected?.values.get(name) ?? value;
  return (
    <div class="field">
      <Label of={id} isHidden={isLabelHidden} text={label} />
      <select
        id={id}
        name={name}
        autofocus={problem !== undefined}
        {...buildAriaProps(id, { hint, problem })}
      >
        {options.map(([each, text]) => (
          <option value={each} selected={each === selectedValue}>
            {text}
          </option>
        ))}
      </select>
      <FieldMessages id={id} hint={hint} problem={problem} />
    </div>
  );
}

interface FieldMessagesProps {
  hint: string | undefined;
  problem: string | undefined;
}

function Label({ of, text, isHidden }: { of: string; text: string; isHidden: boolean }) {
  return (
    <label for={of} class={isHidden ? 'off-screen' : undefined}>
      {text}
    </label>
  );
}

export function buildAriaProps(id: string, { hint, problem }: FieldMessagesProps) {
  const ids = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return { ...(ids && { 'aria-describedby': ids }), ...(problem && { 'aria-invalid': 'true' as const }) };
}

export function FieldMessages({ id, hint, problem }: FieldMessagesProps & { id: string }) {
  return (
    <>
      {problem ? (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      ) : null}
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </>
  );
}

export function Alert({ message }: { message?: string | undefined }) {
  return message ? (
    <p class="alert" role="alert">
      {message}
    </p>
  ) : null;
}
