# fails: error_words.t:3: the text does not say that
> {"s":"ping","x":1}
<error bad_request ~ zebra
