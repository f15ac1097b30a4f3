import { type ComponentType, useEffect } from 'react';
import { codeAddresses, findAddress } from '#web/addresses.ts';
import { usePath } from '#web/router.tsx';
import { dropResetToken } from '#web/session/reset-token.ts';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import { OtpPage } from './otp-page.tsx';
import { ResetCodePage } from './reset-code-page.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';

/** The screen of each code address, complete by its type. */
const screens: Record<keyof typeof codeAddresses, ComponentType> = {
  otp: OtpPage,
  forgotPassword: ForgotPasswordPage,
  forgotPasswordOtp: ResetCodePage,
  resetPassword: ResetPasswordPage,
};

/** The screens around a code; a chunk that the first screen does not load. */
export default function CodeScreens() {
  const path = usePath();
  const Screen = screens[findAddress(codeAddresses, path) ?? 'otp'];
  // Leaving these screens removes their data for the next person.
  useEffect(
    () => () => {
      if (!findAddress(codeAddresses, location.pathname)) dropResetToken();
    },
    [],
  );
  return <Screen />;
}
