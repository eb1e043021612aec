/** Groups the digits of a North American number; all other numbers stay as they are. */
export function phoneNumberText(number: string): string {
  return number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3');
}
