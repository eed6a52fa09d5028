using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class CustomerCheck
{
    public static IEnumerable<string> Find(History history) =>
        from read in history.Reads
        where read.Customer is not null
        from sight in read.Seen
        where sight.Version > 0
        let order = history.EventAt(new(Kinds.Orders, sight.Id, sight.Version))
        where order is not null && order.State.UserId != read.Customer
        select $"{read} of customer {read.Customer} shows orders/{sight.Id} of {order.State.UserId}";
}
