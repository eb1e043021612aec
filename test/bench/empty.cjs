// What Node loads for a line of output is no cost of the program.
process.stdout.write('\n');
