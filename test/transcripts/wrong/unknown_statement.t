# fails: unknown_statement.t:2: an unknown statement
>> {"s":"ping"}
