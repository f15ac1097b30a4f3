import { Route, Switch } from 'wouter';
import { paths } from '#web/paths.ts';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import { OtpPage } from './otp-page.tsx';
import { ResetCodePage } from './reset-code-page.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';

/** The screens that a code leads through; a chunk of its own, since the first screen does not need them. */
export default function CodeScreens() {
  return (
    <Switch>
      <Route path={paths.otp} component={OtpPage} />
      <Route path={paths.forgotPassword} component={ForgotPasswordPage} />
      <Route path={paths.forgotPasswordOtp} component={ResetCodePage} />
      <Route path={paths.resetPassword} component={ResetPasswordPage} />
    </Switch>
  );
}
