import type { ComponentType } from 'react';
import { Route, Switch } from 'wouter';
import { codeAddresses } from '#web/addresses.ts';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import { OtpPage } from './otp-page.tsx';
import { ResetCodePage } from './reset-code-page.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';

/** Which screen stands at each of the code addresses; the compiler asks for the one that is missing. */
const screens: Record<keyof typeof codeAddresses, ComponentType> = {
  otp: OtpPage,
  forgotPassword: ForgotPasswordPage,
  forgotPasswordOtp: ResetCodePage,
  resetPassword: ResetPasswordPage,
};

/** The screens that a code leads through; a chunk of its own, since the first screen does not need them. */
export default function CodeScreens() {
  return (
    <Switch>
      {Object.entries(codeAddresses).map(([name, address]) => (
        <Route key={name} path={address} component={screens[name as keyof typeof screens]} />
      ))}
    </Switch>
  );
}
