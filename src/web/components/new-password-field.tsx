import { passwordCharacters, passwordHint } from '../../accounts/sign-up/accounts.schema.ts';
import { Field, type FieldProps } from './field.tsx';

interface NewPasswordFieldProps extends Pick<FieldProps, 'name' | 'label' | 'isFocused' | 'problem'> {
  then?: string;
}

export function NewPasswordField({ then, ...rest }: NewPasswordFieldProps) {
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
