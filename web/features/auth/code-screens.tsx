import { type ComponentType, useEffect } from 'react';
import { codeAddresses, findAddress } from '#web/addresses.ts';
import { usePath } from '#web/router.tsx';
import { dropResetToken } from '#web/session/reset-token.ts';
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
  const path = usePath();
  const Screen = screens[findAddress(codeAddresses, path) ?? 'otp'];
  // Whoever leaves these screens leaves it to nobody.
  useEffect(
    () => () => {
      if (!findAddress(codeAddresses, location.pathname)) dropResetToken();
    },
    [],
  );
  return <Screen />;
}
