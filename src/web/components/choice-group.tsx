import type { Child, PropsWithChildren } from 'hono/jsx';
import { useRejectedForm } from './context.ts';

interface ChoiceGroupProps {
  name: string;
  legend: string;
  type: 'radio' | 'checkbox';
  value?: readonly string[];
  options: readonly (readonly [value: string, label: Child])[];
  hint?: string;
  class?: string;
}

export function ChoiceGroup({
  name,
  legend,
  type,
  value = [],
  options,
  hint,
  class: className,
  children,
}: PropsWithChildren<ChoiceGroupProps>) {
  const rejected = useRejectedForm();
  const problem = rejected?.fields[name];
  const selectedValues = rejected ? rejected.values.getAll(name) : value;
  const notes = [problem && `${name}-problem`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return (
    <fieldset class={`field pick-list ${className ?? ''}`} aria-describedby={notes || undefined}>
      <legend>{legend}</legend>
      {problem ? (
        <p class="problem" id={`${name}-problem`}>
          {problem}
        </p>
      ) : null}
      {options.map(([each, label], index) => (
        <label class="check">
          <input
            type={type}
            name={name}
            value={each}
            checked={selectedValues.includes(each)}
            autofocus={problem !== undefined && index === 0}
            aria-invalid={problem !== undefined && index === 0 ? 'true' : undefined}
          />
          <span>{label}</span>
        </label>
      ))}
      {hint ? (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      ) : null}
      {children}
    </fieldset>
  );
}
