use rust_xlsxwriter::{
    DocProperties, ExcelDateTime, Format, FormatAlign, Formula, Workbook, Worksheet, XlsxError,
};

use super::prose::numbers;
use super::{Fixture, fixture};

pub(super) fn fixtures() -> Vec<Fixture> {
    vec![
        fixture(
            "xlsx/number_formats.xlsx",
            "Numbers, currency, per cent, dates and times as the spreadsheet program shows them.",
            workbook(&[("Formats", number_formats)]),
        ),
        fixture(
            "xlsx/tables_two.xlsx",
            "Two tables on one sheet, with a note between.",
            workbook(&[("Stock", two_tables)]),
        ),
        fixture(
            "xlsx/header_merged.xlsx",
            "A header of two rows with merged cells.",
            workbook(&[("2024", merged_header)]),
        ),
        fixture(
            "xlsx/sheets_hidden_formulas.xlsx",
            "Three sheets, one of them hidden; formulas with their results.",
            workbook(&[("Summary", summary), ("Rates", rates), ("Empty", |_| Ok(()))]),
        ),
        fixture("xlsx/wide_60_columns.xlsx", "Sixty columns.", workbook(&[("Wide", wide)])),
        fixture("xlsx/long_3000_rows.xlsx", "Three thousand rows.", workbook(&[("Readings", long)])),
    ]
}

type Fill = fn(&mut Worksheet) -> Result<(), XlsxError>;

fn workbook(sheets: &[(&str, Fill)]) -> Vec<u8> {
    let fill = || -> Result<Vec<u8>, XlsxError> {
        let mut workbook = Workbook::new();
        let created = ExcelDateTime::from_ymd(2024, 2, 29)?.and_hms(12, 0, 0)?;
        workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
        for (name, fill) in sheets {
            let sheet = workbook.add_worksheet();
            sheet.set_name(*name)?;
            fill(sheet)?;
        }
        workbook.save_to_buffer()
    };
    fill().expect("a workbook can be written")
}

fn number_formats(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    let rows: [(&str, f64, &str); 10] = [
        ("general", 1234.5, "General"),
        ("thousands", 1234567.891, "#,##0.00"),
        ("euros", 48310.0, "#,##0 \"€\""),
        ("negative in brackets", -75.5, "#,##0.00;(#,##0.00)"),
        ("per cent", 0.0825, "0.0%"),
        ("scientific", 0.00001234, "0.00E+00"),
        ("fraction", 2.75, "# ?/?"),
        ("leading zeros", 4711.0, "00000000"),
        ("date", 45351.0, "yyyy-mm-dd"),
        ("time", 0.6953125, "hh:mm:ss"),
    ];
    sheet.write(0, 0, "What")?;
    sheet.write(0, 1, "Shown")?;
    for (idx, (what, value, format)) in rows.into_iter().enumerate() {
        let row = idx as u32 + 1;
        sheet.write(row, 0, what)?;
        sheet.write_with_format(row, 1, value, &Format::new().set_num_format(format))?;
    }
    let row = rows.len() as u32 + 1;
    sheet.write(row, 0, "date and time")?;
    let when = ExcelDateTime::from_ymd(2019, 3, 14)?.and_hms(16, 41, 15)?;
    sheet.write_with_format(row, 1, &when, &Format::new().set_num_format("d mmmm yyyy hh:mm"))?;
    sheet.write(row + 1, 0, "true or false")?;
    sheet.write(row + 1, 1, true)?;
    Ok(())
}

fn two_tables(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    let tools = [("Tool", "Count"), ("Spade", "4"), ("Rake", "7"), ("Scythe", "1")];
    for (row, (tool, count)) in tools.into_iter().enumerate() {
        sheet.write(row as u32, 0, tool)?;
        match count.parse::<f64>() {
            Ok(count) => sheet.write(row as u32, 1, count)?,
            Err(_) => sheet.write(row as u32, 1, count)?,
        };
    }
    sheet.write(5, 0, "Counted on the last day of March.")?;
    let seeds = [("Seed", "Bags", "Sown in"), ("Rye", "12", "September"), ("Flax", "3", "April")];
    for (idx, (seed, bags, sown)) in seeds.into_iter().enumerate() {
        let row = idx as u32 + 7;
        sheet.write(row, 4, seed)?;
        match bags.parse::<f64>() {
            Ok(bags) => sheet.write(row, 5, bags)?,
            Err(_) => sheet.write(row, 5, bags)?,
        };
        sheet.write(row, 6, sown)?;
    }
    Ok(())
}

fn merged_header(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    let header = Format::new().set_bold().set_align(FormatAlign::Center);
    sheet.merge_range(0, 0, 1, 0, "District", &header)?;
    sheet.merge_range(0, 1, 0, 2, "First half", &header)?;
    sheet.merge_range(0, 3, 0, 4, "Second half", &header)?;
    for (column, title) in ["Drawn", "Lost", "Drawn", "Lost"].into_iter().enumerate() {
        sheet.write_with_format(1, column as u16 + 1, title, &header)?;
    }
    let rows = [
        ("Alder Green", [410, 31, 388, 27]),
        ("Brook End", [205, 12, 231, 19]),
        ("Dunmere", [977, 80, 940, 76]),
    ];
    for (idx, (district, values)) in rows.into_iter().enumerate() {
        let row = idx as u32 + 2;
        sheet.write(row, 0, district)?;
        for (column, value) in values.into_iter().enumerate() {
            sheet.write(row, column as u16 + 1, value)?;
        }
    }
    Ok(())
}

fn summary(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    sheet.write(0, 0, "Post")?;
    sheet.write(0, 1, "Net")?;
    sheet.write(0, 2, "Tax")?;
    for (idx, (post, net)) in [("Pipes", 1200.0), ("Labour", 800.0), ("Permit", 95.0)].into_iter().enumerate()
    {
        let row = idx as u32 + 1;
        sheet.write(row, 0, post)?;
        sheet.write(row, 1, net)?;
        let formula = Formula::new(format!("=B{}*Rates!B2", row + 1)).set_result(format!("{}", net * 0.25));
        sheet.write(row, 2, formula)?;
    }
    sheet.write(4, 0, "Sum")?;
    sheet.write(4, 1, Formula::new("=SUM(B2:B4)").set_result("2095"))?;
    sheet.write(4, 2, Formula::new("=SUM(C2:C4)").set_result("523.75"))?;
    Ok(())
}

fn rates(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    sheet.set_hidden(true);
    sheet.write(0, 0, "Kind")?;
    sheet.write(0, 1, "Rate")?;
    sheet.write(1, 0, "Value added tax")?;
    sheet.write_with_format(1, 1, 0.25, &Format::new().set_num_format("0%"))?;
    Ok(())
}

fn wide(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    for column in 0..60_u16 {
        sheet.write(0, column, format!("sensor {:02}", column + 1))?;
        for row in 1..=12_u32 {
            sheet.write(row, column, (numbers(row as usize * 60 + column as usize) % 1000) as f64)?;
        }
    }
    Ok(())
}

fn long(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    for (column, title) in ["Reading", "Day", "Station", "Level", "Remark"].into_iter().enumerate() {
        sheet.write(0, column as u16, title)?;
    }
    let date = Format::new().set_num_format("yyyy-mm-dd");
    for row in 1..=3000_u32 {
        let number = numbers(row as usize);
        sheet.write(row, 0, row)?;
        sheet.write_with_format(row, 1, f64::from(45292 + row / 10), &date)?;
        sheet.write(row, 2, ["Weir", "Intake", "Tank", "Outlet"][number % 4])?;
        sheet.write(row, 3, (number / 4 % 500) as f64)?;
        if row == 1717 {
            sheet.write(row, 4, "The float of the gauge was frozen in.")?;
        }
    }
    Ok(())
}
