/**
 * The oldest supported browsers, as Vite's `build.target` writes them; Safari's numbers are iOS's too. The minimum is
 * Tailwind 4's (https://tailwindcss.com/docs/compatibility), whose styles need @layer and @property.
 *
 * The build lowers newer syntax and CSS, such as nesting, and `tsc -p web` refuses newer functions of JavaScript's library.
 * Neither checks the DOM, regular expression groups or CSS values. The table lists those features that the app and Tailwind
 * use and that all three gained since 2020, by MDN's compatibility data. None needs a newer browser than the minimum.
 *
 *                                    Chrome  Safari  Firefox
 *     @property                          85    16.4      128
 *     color-mix(), inside @supports     111    16.2      113
 *     '…'.isWellFormed()                111    16.4      119
 *     1lh                               109    16.4      120
 *     dvh                               108    15.4      101
 *     @container                        105    16        110
 *     @media (width >= …)               104    16.4      102
 *     rotate: …                         104    14.1       72
 *     AbortSignal.timeout()             103    16        100
 *     @layer                             99    15.4       97
 *     @media (forced-colors: …)          89    16         81
 *     inset, :is(), :where()             88    14.1       78
 *     overflow-wrap: anywhere            80    15.4       65
 *     <img loading="lazy">               77    15.4       75
 *     focus({ preventScroll })           64    15         68
 *     (?<!…)                             62    16.4       78
 *     <dialog>                           37    15.4       98
 *
 * WebOTP and the clipboard are feature-detected. Newer than the minimum, and unused: text-wrap, popovers, @starting-style, (?i:…), Map.groupBy.
 */
export const minimumBrowsers = ['chrome111', 'safari16.4', 'firefox128'] as const;
