using ApexShop.Resources;

namespace ApexShop.Commands.Api.Users;

internal static class UserRoutes
{
    public static void MapUsers(this IEndpointRouteBuilder app)
    {
        var users = app.MapGroup("/users").WithTags(Resource.Users.Name);
        CreateUser.Map(users);
        BulkCreateUsers.Map(users);
        UpdateUser.Map(users);
        PatchUser.Map(users);
        BulkUpdateUsers.Map(users);
        DeleteUser.Map(users);
        BulkDeleteUsers.Map(users);
        DeactivateInactiveUsers.Map(users);
        EraseUser.Map(users);
        CreateSession.Map(app.MapGroup("/sessions").WithTags("sessions"));
    }
}
