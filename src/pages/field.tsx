interface FieldProps {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  value?: string | undefined;
  autocomplete: string;
  hint?: string;
  minlength?: number;
  maxlength: number;
  isFocused?: boolean;
}

/** A labelled input; screen readers read the hint with it. */
export function Field({ name, label, type = 'text', hint, isFocused = false, ...rest }: FieldProps) {
  const hintId = `${name}-hint`;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        required
        autofocus={isFocused}
        aria-describedby={hint ? hintId : undefined}
        {...rest}
      />
      {hint ? (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** Why the form is shown again. */
export function Alert({ message }: { message?: string | undefined }) {
  return message ? (
    <p class="alert" role="alert">
      {message}
    </p>
  ) : null;
}
