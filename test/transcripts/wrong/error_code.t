# fails: error_code.t:3: not that error
> {}
<error bad_reques
