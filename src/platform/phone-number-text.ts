/** Groups the digits of a North American number; all other numbers stay as they are. */
export function phoneNumberText(number: string): string {
  return number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3');
}

/** Groups the digits of each North American number in a text, such as `+16505550112 (Dana Okafor)`. */
export function withPhoneNumbersGrouped(text: string): string {
  return text.replace(/(?<![\w+])\+1\d{10}(?!\w)/g, phoneNumberText);
}
