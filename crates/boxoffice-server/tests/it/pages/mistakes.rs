//! Mistakes in a form: the page comes again and says what is wrong.

use super::{SHOW, cinema};

#[tokio::test]
async fn a_wish_that_cannot_be_read_keeps_the_page() {
    let cinema = cinema().await;
    let browser = cinema.visitor();
    let cases = [
        (vec![("count", "-1")], "Say how many seats with a number."),
        (vec![("count", "x")], "Say how many seats with a number."),
        (vec![("count", "65536")], "Say how many seats with a number."),
        (vec![("count", "2"), ("category", "Throne")], "Throne"),
    ];
    for (fields, says) in cases {
        let page = browser.post(SHOW, &fields).await;
        assert_eq!((page.status.as_u16(), page.path.as_str()), (400, SHOW), "{fields:?}: {}", page.html);
        assert!(page.has(says) && page.has("Or choose your seats"), "{fields:?}: {}", page.html);
    }
}
