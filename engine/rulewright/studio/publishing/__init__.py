"""What rules come to before they are anybody's: mended, signed, released, published. No door is known here."""
