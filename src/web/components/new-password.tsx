import { passwordCharacters, passwordHint } from '../../accounts/sign-up/accounts.schema.ts';
import { Field, type FieldProps } from './field.tsx';

interface NewPasswordProps extends Pick<FieldProps, 'name' | 'label' | 'isFocused' | 'problem'> {
  /** What happens once the password is changed. */
  then?: string;
}

/** A field for a password that does not exist yet, which says how long it has to be. */
export function NewPassword({ then, ...rest }: NewPasswordProps) {
  return (
    <Field
      type="password"
      autocomplete="new-password"
      hint={then ? `${passwordHint} ${then}` : passwordHint}
      minlength={passwordCharacters.min}
      maxlength={passwordCharacters.max}
      {...rest}
    />
  );
}
