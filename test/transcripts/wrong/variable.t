# fails: variable.t:2: a variable that nothing has set
> \{$V}
