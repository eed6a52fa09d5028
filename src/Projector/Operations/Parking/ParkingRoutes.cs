namespace ApexShop.Projector.Operations.Parking;

internal static class ParkingRoutes
{
    public static void MapParking(this RouteGroupBuilder admin)
    {
        ListParked.Map(admin);
        GetParked.Map(admin);
        ReplayParked.Map(admin);
        ReplayAllParked.Map(admin);
        HealAggregate.Map(admin);
        DiscardParked.Map(admin);
        ListDeadLetters.Map(admin);
        GetDeadLetter.Map(admin);
        ReplayDeadLetter.Map(admin);
        ReplayAllDeadLetters.Map(admin);
        DiscardDeadLetter.Map(admin);
    }
}
